import { Controller, Get } from '@nestjs/common';
import { Relay } from '../relay.js';

@Controller('status')
export class StatusController {
  constructor(private readonly relay: Relay) {}

  /** Each source: its state, what waits in its outbox, and how much log its slot keeps. */
  @Get()
  async status() {
    return { sources: await this.relay.report() };
  }
}
