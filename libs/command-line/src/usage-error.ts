/** The command line says something that the command does not understand. Its message is one line for whoever typed it. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}
