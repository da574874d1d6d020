import { Controller, Get } from '@nestjs/common';
import { type GroupStatus, KafkaGroup } from './kafka-group.js';

/** What the service's consumer group is doing: state, partitions, and counts since the process started. */
@Controller('status/consumer')
export class GroupStatusController {
  constructor(private readonly group: KafkaGroup) {}

  @Get()
  status(): GroupStatus {
    return this.group.stats();
  }
}
