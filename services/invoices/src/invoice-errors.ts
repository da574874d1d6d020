import { Problem } from '@shopflow/http';

// Each is a refusal that the caller can act on, and carries its answer.

export class InvoiceNotFound extends Problem {
  constructor(id: string | number) {
    super({ status: 404, kind: 'invoice-not-found', title: 'There is no such invoice', detail: `There is no invoice ${id}.` });
  }
}

export class DeliveryNotFound extends Problem {
  constructor(id: string | number) {
    super({ status: 404, kind: 'delivery-not-found', title: 'There is no such delivery', detail: `There is no delivery ${id}.` });
  }
}

export class InvoiceDiffers extends Problem {
  constructor(readonly number: string) {
    const detail = `Invoice ${number} exists with other content; import it under another number, or correct it with PATCH.`;
    super({ status: 409, kind: 'invoice-differs', title: 'The invoice exists with other content', detail });
  }
}

export class OrderHasInvoice extends Problem {
  constructor(readonly orderId: string) {
    const detail = `Order ${orderId} has an invoice already; leave orderId out, or correct the invoice that there is.`;
    super({ status: 409, kind: 'order-has-invoice', title: 'The order has an invoice already', detail });
  }
}

export class InvoiceIsPaid extends Problem {
  constructor(readonly number: string) {
    const detail = `Invoice ${number} is paid, which is final.`;
    super({ status: 409, kind: 'invoice-is-paid', title: 'A paid invoice cannot be changed', detail });
  }
}

export class InvoiceIsVoid extends Problem {
  constructor(readonly number: string) {
    const detail = `Invoice ${number} is void, because its order was cancelled; nothing is owed.`;
    super({ status: 409, kind: 'invoice-is-void', title: 'A void invoice cannot be sent, paid or changed', detail });
  }
}
