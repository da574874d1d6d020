import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { isStorable } from '@shopflow/database';
import { Organization, Problem, ValidBody, ValidQuery } from '@shopflow/http';
import Type, { type Static } from 'typebox';
import type { Delivery } from '../ledger/delivery.js';
import { FindDeliveries } from '../ledger/find-deliveries.js';
import { ReviveDelivery } from '../ledger/revive-delivery.js';

const ReplayRequest = Type.Object({
  who: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'who asks, as people know them' })),
  why: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'what was fixed' })),
});

const ListQuery = Type.Object({
  status: Type.Optional(Type.Enum(['queued', 'running', 'sent', 'dead'])),
  kind: Type.Optional(Type.Enum(['receipt', 'invoice', 'reminder'])),
  orderId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  number: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$', description: '1 to 1000' })),
});

const DEFAULT_LIMIT = 100;

/** What became of an e-mail, and a second chance for one that was given up. */
@Controller('deliveries')
export class DeliveriesController {
  constructor(
    private readonly deliveries: FindDeliveries,
    private readonly revival: ReviveDelivery,
  ) {}

  @Get()
  list(@Organization() organizationId: string, @ValidQuery(ListQuery) { limit, ...filter }: Static<typeof ListQuery>): Promise<Delivery[]> {
    return this.deliveries.list({ ...filter, organizationId, limit: Number(limit ?? DEFAULT_LIMIT) });
  }

  @Get(':id')
  async find(@Organization() organizationId: string, @Param('id') id: string): Promise<Delivery> {
    return (await this.deliveries.byId(storable(id), organizationId)) ?? unknown(id);
  }

  @Post(':id/replay')
  @HttpCode(200)
  async replay(
    @Organization() organizationId: string,
    @Param('id') id: string,
    @ValidBody(ReplayRequest) request: Static<typeof ReplayRequest>,
  ): Promise<{ replayed: boolean }> {
    const { who = 'unknown (HTTP)', why = 'not given' } = request;
    return { replayed: (await this.revival.replay(storable(id), { who, why, organizationId })) ?? unknown(id) };
  }
}

/** No delivery has an id that cannot be stored. */
const storable = (id: string): string => (isStorable(id) ? id : unknown(id));

function unknown(id: string): never {
  throw new Problem({
    status: 404,
    kind: 'no-such-delivery',
    title: 'There is no such delivery',
    detail: `No delivery ${JSON.stringify(id)}.`,
  });
}
