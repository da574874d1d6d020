import { Controller, Get } from '@nestjs/common';
import { type GroupStatus, KafkaGroup } from '@shopflow/consumer';
import { FindDeliveries, type LineState } from '../ledger/find-deliveries.js';

/** How the line stands: what to alert on is `dead` and `oldestWaitingSeconds`. */
@Controller('status')
export class StatusController {
  constructor(
    private readonly deliveries: FindDeliveries,
    private readonly group: KafkaGroup,
  ) {}

  @Get()
  async status(): Promise<{ deliveries: LineState; consumer: GroupStatus }> {
    return { deliveries: await this.deliveries.lineState(new Date()), consumer: this.group.stats() };
  }
}
