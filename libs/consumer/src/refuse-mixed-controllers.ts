import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SUBSCRIPTION } from './subscribe.js';
import { SubscriptionError } from './subscriptions.js';

/** Where Nest keeps the path of an HTTP handler. */
const PATH_METADATA = 'path';

/**
 * Errors of a consumer's methods are rethrown by a filter on its class, past the filters that answer HTTP requests: a
 * class cannot be both.
 *
 * @throws SubscriptionError naming the controller
 */
export function refuseMixedControllers(discovery: DiscoveryService): void {
  for (const { instance, metatype } of discovery.getControllers()) {
    if (!instance || !metatype) continue;
    const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
    const methods = new MetadataScanner().getAllMethodNames(prototype).map((name) => prototype[name]!);
    const has = (key: string | symbol) => methods.some((method) => Reflect.hasMetadata(key, method));
    if (has(SUBSCRIPTION) && has(PATH_METADATA)) {
      throw new SubscriptionError(`${metatype.name} subscribes to events and serves HTTP; make two controllers of it`);
    }
  }
}
