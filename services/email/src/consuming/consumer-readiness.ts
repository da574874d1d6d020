import { Injectable } from '@nestjs/common';
import { KafkaGroup } from '@shopflow/consumer';
import { Readiness } from '@shopflow/http';

/** The service is not ready while it does not hear of new orders. */
@Injectable()
export class ConsumerReadiness {
  constructor(readiness: Readiness, group: KafkaGroup) {
    readiness.add('consumer', () => group.check());
  }
}
