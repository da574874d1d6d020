/** Why a server cannot be used, in one line that says what to do about it. */
export class ServersError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServersError';
  }
}

/** Something else listens where a server or service of ours has to. */
export class PortTakenError extends ServersError {
  constructor(
    readonly port: number,
    wantedBy: string,
    variable: string | undefined,
  ) {
    const other = variable === undefined ? '' : `, or choose another with ${variable}=…`;
    super(`port ${port}, which ${wantedBy} wants, is taken: stop what listens there${other}`);
    this.name = 'PortTakenError';
  }
}
