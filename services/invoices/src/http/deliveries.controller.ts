import { Controller, Get, Param } from '@nestjs/common';
import { Database } from '@shopflow/database';
import { Organization } from '@shopflow/http';
import type { Delivery } from '../delivery.js';
import { DeliveryNotFound } from '../invoice-errors.js';
import { findDelivery } from '../persistence/deliveries-table.js';
import { readId } from './ids.js';

@Controller('deliveries')
export class DeliveriesController {
  constructor(private readonly database: Database) {}

  @Get(':id')
  find(@Organization() organizationId: string, @Param('id') id: string): Promise<Delivery> {
    const deliveryId = readId(id);
    if (deliveryId === undefined) throw new DeliveryNotFound(JSON.stringify(id));
    return findDelivery(this.database, deliveryId, organizationId);
  }
}
