/**
 * The signal of one call of a handler: aborted with the outer one, or by itself. Made when somebody asks for it, since few
 * handlers do and it costs more than the rest of a call.
 */
export class CallSignal {
  private controller: AbortController | undefined;
  private aborted: { readonly reason: unknown } | undefined;

  constructor(private readonly outer: AbortSignal) {}

  get signal(): AbortSignal {
    this.controller ??= this.follow(new AbortController());
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.aborted ??= { reason };
    this.controller?.abort(reason);
  }

  /** The call is over: nothing of it is kept by the outer signal, which lives for as long as its partition. */
  end(): void {
    this.outer.removeEventListener('abort', this.follows);
  }

  private follow(controller: AbortController): AbortController {
    if (this.outer.aborted) this.follows();
    else this.outer.addEventListener('abort', this.follows);
    if (this.aborted) controller.abort(this.aborted.reason);
    return controller;
  }

  private readonly follows = (): void => this.abort(this.outer.reason);
}
