import { Controller, Get } from '@nestjs/common';
import { FindDeliveries, type LineState } from '../ledger/find-deliveries.js';

/** How the line stands: what to alert on is `dead`, `oldestWaitingSeconds` and `providerDown`. */
@Controller('status/deliveries')
export class StatusController {
  constructor(private readonly deliveries: FindDeliveries) {}

  @Get()
  status(): Promise<LineState> {
    return this.deliveries.lineState(new Date());
  }
}
