export { Liveness, type LivenessCheck } from './health/liveness.js';
export { Readiness, type ReadinessCheck } from './health/readiness.js';
export { Organization } from './organization.js';
export { signOrganizationToken } from './organization-token.js';
export { Problem, type FieldFault } from './problem.js';
export { runMigrations } from './run-migrations.js';
export { serve, type ServeOptions } from './serve.js';
export { startService, type RunningService, type ServiceOptions } from './start-service.js';
export { ValidBody, ValidQuery } from './valid-request.js';
