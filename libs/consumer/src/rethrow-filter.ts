import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';

/**
 * Lets an error through unchanged where no other filter takes it. Nest would turn it into `{ status, message }`, and
 * what kind of failure it is could not be told any more.
 */
@Catch()
export class RethrowFilter implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): never {
    throw error;
  }
}
