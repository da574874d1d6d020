import type { PipeTransform } from '@nestjs/common';
import { OrderNotFound } from '../order-errors.js';
import { isOrderId } from './requests.js';

/** No order has a malformed id, and PostgreSQL need not be asked (nor could it always: NUL). */
export class OrderIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!isOrderId(id)) throw new OrderNotFound(id);
    return id;
  }
}
