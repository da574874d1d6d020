import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';

/** One field of a request that is wrong. */
export interface FieldFault {
  /** Dotted path, e.g. `customer.email`. */
  readonly field: string;
  readonly message: string;
}

export interface ProblemOptions {
  /** HTTP status, 400 or more. */
  readonly status: number;
  /** Short name of the kind of problem, e.g. `order-differs`; becomes `urn:shopflow:problem:order-differs`. */
  readonly kind?: string;
  /** What a problem of this kind is, the same every time. The text of the status when left out. */
  readonly title?: string;
  /** What went wrong this time and what to do about it. */
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  /** Response headers that belong to the problem, e.g. `allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of RFC 9457 (problem+json). Throw it anywhere below a controller. */
export class Problem extends HttpException {
  readonly type: string;
  readonly title: string;
  readonly errors: readonly FieldFault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, kind, title, detail, errors = [], headers = {} }: ProblemOptions) {
    super(detail ?? title ?? STATUS_CODES[status] ?? 'Error', status);
    this.name = 'Problem';
    this.type = kind === undefined ? 'about:blank' : `urn:shopflow:problem:${kind}`;
    this.title = title ?? STATUS_CODES[status] ?? 'Error';
    this.errors = errors;
    this.headers = headers;
  }
}
