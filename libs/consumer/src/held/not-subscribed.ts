import { ContractError } from '@shopflow/contracts';

/** A held event of a type that nobody in this process subscribes to: another release of the service may. */
export class NotSubscribedError extends ContractError {
  readonly heals = true;

  constructor(type: string) {
    super(type, `${type} is not subscribed to by this code: it waits for code that does`);
  }
}
