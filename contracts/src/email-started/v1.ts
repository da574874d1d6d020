import Type from 'typebox';
import { deliveryFields } from '../delivery-fields.js';
import { version } from '../version.js';

export const emailStartedV1 = version(1, Type.Object({ ...deliveryFields }), 'First release.');
