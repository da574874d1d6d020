import Type from 'typebox';
import { upcast, version } from '../version.js';
import { orderCreatedV2 } from './v2.js';

export const orderCreatedV3 = version(
  3,
  Type.Object({
    ...orderCreatedV2.schema.properties,
    channel: Type.Enum(['web', 'app', 'unknown'], {
      description: 'Where the order was placed; unknown for orders from before v3.',
    }),
  }),
  'Added `channel`.',
);

/** Nobody recorded the channel before v3: any guess would falsify every report of web against app. */
export const fromV2 = upcast(orderCreatedV2, orderCreatedV3, (v2) => ({ ...v2, channel: 'unknown' as const }));
