import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

/** `/health/live` and `/health/ready` for every service; inject {@link Readiness} or {@link Liveness} to add a check. */
@Global()
@Module({ controllers: [HealthController], providers: [Liveness, Readiness], exports: [Liveness, Readiness] })
export class HealthModule {}
