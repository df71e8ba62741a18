// Upstream: pkg/apis/flowcontrol/v1/defaults.go
// Upstream: pkg/apis/flowcontrol/validation/validation.go: ValidatePriorityLevelConfiguration
// Upstream: pkg/registry/flowcontrol/prioritylevelconfiguration/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printPriorityLevelConfiguration
import type * as flowcontrol from 'client-ts/api/flowcontrol/v1';
import { validateChoice } from '../../../validation/choices.ts';
import { type FieldError, forbidden, invalid, required } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { NONE } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';
import { validateFlowStatus } from './flow-schema.ts';

type Level = Loose<flowcontrol.PriorityLevelConfiguration>;
type Limited = Loose<flowcontrol.LimitedPriorityLevelConfiguration>;

const MOST_QUEUES = 10_000_000;
const meta = metaValidator({ namespaced: false });

/** Rules of PriorityLevelConfigurations. */
export const priorityLevelStrategy: Strategy<Level> = {
  setDefaults: ({ spec }) => {
    const { exempt, limited } = spec ?? {};
    if (exempt) {
      exempt.nominalConcurrencyShares ??= 0;
      exempt.lendablePercent ??= 0;
    }
    if (!limited) return;
    limited.nominalConcurrencyShares ??= 30;
    limited.lendablePercent ??= 0;
    const { queuing } = limited.limitResponse ?? {};
    if (!queuing) return;
    queuing.handSize ||= 8;
    queuing.queues ||= 64;
    queuing.queueLengthLimit ||= 50;
  },
  validate: validateLevel,
  validateUpdate: validateLevel,
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: ({ status = {} }) => validateFlowStatus(status.conditions ?? []),
  generation: 'spec',
};

function validateLevel(level: Level): FieldError[] {
  const { type = '', limited, exempt } = level.spec ?? {};
  const isNamedExempt = level.metadata?.name === 'exempt';
  return [
    ...meta.create(level),
    ...(isNamedExempt === (type === 'Exempt')
      ? []
      : [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...validateChoice(type, ['Exempt', 'Limited'], 'spec.type'),
    ...(type === 'Exempt' && limited !== undefined
      ? [forbidden('spec.limited', 'must be nil if the type is not Limited')]
      : []),
    ...(type === 'Exempt' && exempt !== undefined ? validateShares(exempt, 'spec.exempt') : []),
    ...(type === 'Limited' && exempt !== undefined
      ? [forbidden('spec.exempt', 'must be nil if the type is Limited')]
      : []),
    ...(type === 'Limited'
      ? limited === undefined
        ? [required('spec.limited', 'must not be empty when type is Limited')]
        : validateLimited(limited, 'spec.limited')
      : []),
    ...validateFlowStatus(level.status?.conditions ?? []),
  ];
}

function validateShares(
  { nominalConcurrencyShares: shares = 0, lendablePercent: percent = 0 }: Limited,
  field: string,
): FieldError[] {
  return [
    ...(shares < 0
      ? [invalid(`${field}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
      : []),
    ...(percent < 0 || percent > 100
      ? [invalid(`${field}.lendablePercent`, percent, 'must be between 0 and 100, inclusive')]
      : []),
  ];
}

function validateLimited(limited: Limited, field: string): FieldError[] {
  const { limitResponse = {}, borrowingLimitPercent: borrowed } = limited;
  return [
    ...validateShares(limited, field),
    ...validateResponse(limitResponse, `${field}.limitResponse`),
    ...(borrowed !== undefined && borrowed < 0
      ? [
          invalid(
            `${field}.borrowingLimitPercent`,
            borrowed,
            'if specified, must be a non-negative integer',
          ),
        ]
      : []),
  ];
}

function validateResponse(
  { type, queuing }: Loose<flowcontrol.LimitResponse>,
  field: string,
): FieldError[] {
  const path = `${field}.queuing`;
  if (type === 'Reject') {
    return queuing === undefined
      ? []
      : [forbidden(path, 'must be nil if limited.limitResponse.type is not Limited')];
  }
  if (type !== 'Queue') return validateChoice(type, ['Queue', 'Reject'], `${field}.type`);
  return queuing === undefined
    ? [required(path, 'must not be empty if limited.limitResponse.type is Limited')]
    : validateQueuing(queuing, path);
}

function validateQueuing(
  queuing: Loose<flowcontrol.QueuingConfiguration>,
  field: string,
): FieldError[] {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  const tooLow = (value: number, name: string): FieldError[] =>
    value <= 0 ? [invalid(`${field}.${name}`, value, 'must be positive')] : [];
  return [
    ...tooLow(queueLengthLimit, 'queueLengthLimit'),
    ...tooLow(queues, 'queues'),
    ...(queues > MOST_QUEUES
      ? [invalid(`${field}.queues`, queues, `must not be greater than ${MOST_QUEUES}`)]
      : []),
    ...tooLow(handSize, 'handSize'),
    ...(handSize > queues
      ? [invalid(`${field}.handSize`, handSize, `should not be greater than queues (${queues})`)]
      : []),
  ];
}

/** The table of PriorityLevelConfigurations. */
export const priorityLevelConfigurationPrinter: Printer<
  Printable<flowcontrol.PriorityLevelConfiguration>
> = printer([
  nameColumn(),
  column('Type', 'Exempt or Limited', ({ spec }) => spec?.type ?? ''),
  column('NominalConcurrencyShares', 'Share of the concurrency limit', ({ spec }) =>
    spec?.limited === undefined ? NONE : (spec.limited.nominalConcurrencyShares ?? 0),
  ),
  column('Queues', 'Number of queues', (level) => queuing(level, 'queues')),
  column('HandSize', 'Number of queues that a flow is assigned to', (level) =>
    queuing(level, 'handSize'),
  ),
  column('QueueLengthLimit', 'Maximum length of a queue', (level) =>
    queuing(level, 'queueLengthLimit'),
  ),
  ageColumn(),
]);

function queuing(
  { spec }: Printable<flowcontrol.PriorityLevelConfiguration>,
  field: 'handSize' | 'queueLengthLimit' | 'queues',
): number | string {
  const settings = spec?.limited?.limitResponse?.queuing;
  return settings === undefined ? NONE : (settings[field] ?? 0);
}
