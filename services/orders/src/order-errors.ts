import { Problem } from '@shopflow/http';

// Each is a refusal that the caller can act on, and carries its answer.

export class OrderNotFound extends Problem {
  constructor(orderId: string) {
    super({ status: 404, kind: 'order-not-found', title: 'There is no such order', detail: `There is no order ${orderId}.` });
  }
}

export class OrderDiffers extends Problem {
  constructor(readonly orderId: string) {
    super({
      status: 409,
      kind: 'order-differs',
      title: 'The order exists with other content',
      detail: `Order ${orderId} was placed before with other content; take another orderId, or none.`,
    });
  }
}

export class OrderIsCancelled extends Problem {
  constructor(readonly orderId: string) {
    super({
      status: 409,
      kind: 'order-is-cancelled',
      title: 'A cancelled order cannot be changed',
      detail: `Order ${orderId} is cancelled, which is final; place a new one.`,
    });
  }
}

export class IdempotencyKeyReused extends Problem {
  constructor(readonly key: string) {
    super({
      status: 422,
      kind: 'idempotency-key-reused',
      title: 'The Idempotency-Key belongs to another request',
      detail: `Idempotency-Key ${key} came before with other content; take a fresh key for every new request.`,
    });
  }
}
