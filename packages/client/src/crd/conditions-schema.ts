import type { Condition } from '../meta/types.ts';
import { type StructuralSchema, typedSchema } from './schema.ts';

/**
 * The schema of `status.conditions`, as the API conventions describe it: a list of `Condition`, one
 * for each type, whose owners are tracked item by item.
 */
export const conditionsSchema: StructuralSchema<Condition[]> = typedSchema<Condition[]>({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
    properties: {
      type: { type: 'string', maxLength: 316 },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      lastTransitionTime: { type: 'string', format: 'date-time' },
      reason: { type: 'string', minLength: 1, maxLength: 1024 },
      message: { type: 'string', maxLength: 32_768 },
    },
  },
});
