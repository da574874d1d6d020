/** An e-mail as the provider takes it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
