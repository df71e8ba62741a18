// Upstream: pkg/apis/scheduling/v1/defaults.go
// Upstream: pkg/apis/scheduling/validation/validation.go
// Upstream: pkg/registry/scheduling/priorityclass/strategy.go
// Upstream: plugin/pkg/admission/priority/admission.go: validatePriorityClass
// Upstream: pkg/printers/internalversion/printers.go: printPriorityClass
import type * as scheduling from 'client-ts/api/scheduling/v1';
import { getKey } from 'client-ts/internal';
import { newForbidden } from 'client-ts/meta';
import {
  type FieldError,
  forbidden,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { defaultPriorityClass, SYSTEM_CLASSES } from '../core/pod/admission.ts';

type PriorityClass = Loose<scheduling.PriorityClass>;

const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
const HIGHEST_OF_USERS = 1_000_000_000;
const POLICIES = ['PreemptLowerPriority', 'Never'];
const meta = metaValidator({ namespaced: false });

/** Rules of PriorityClasses. */
export const priorityClassStrategy: Strategy<PriorityClass> = {
  setDefaults: (object) => {
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  prepareForCreate: (object, context) => admitDefault(object, context, true),
  prepareForUpdate: (object, _, context) => admitDefault(object, context, false),
  validate: (object) => [
    ...meta.create(object),
    ...validateValue(object),
    ...validatePolicy(object.preemptionPolicy),
  ],
  validateUpdate: (object, old) => [
    ...meta.update(object, old),
    ...((object.value ?? 0) === (old.value ?? 0)
      ? []
      : [forbidden('value', 'may not be changed in an update.')]),
    ...immutable(object.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'),
  ],
  admitDeletion: (name) => {
    if (getKey(SYSTEM_CLASSES, name) === undefined) return;
    const detail = 'this is a system priority class and cannot be deleted';
    throw newForbidden(PRIORITY_CLASSES, name, detail);
  },
  // The generation is set and never changes.
  generation: () => false,
};

/** Rejects a second global default. */
function admitDefault(object: PriorityClass, context: StrategyContext, isNew: boolean): void {
  if (object.globalDefault !== true) return;
  const other = defaultPriorityClass(context)?.metadata?.name;
  const name = object.metadata?.name ?? '';
  if (other === undefined || (!isNew && other === name)) return;
  const detail = `PriorityClass ${other} is already marked as default. Only one default can exist`;
  throw newForbidden(PRIORITY_CLASSES, name, detail);
}

function validateValue({ metadata, value = 0, globalDefault }: PriorityClass): FieldError[] {
  const name = metadata?.name ?? '';
  if (!name.startsWith('system-')) {
    if (value <= HIGHEST_OF_USERS) return [];
    const detail = `maximum allowed value of a user defined priority is ${HIGHEST_OF_USERS}`;
    return [forbidden('value', detail)];
  }
  const problem = systemClassProblem(name, value, globalDefault === true);
  if (problem === undefined) return [];
  const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
  return [forbidden('metadata.name', detail)];
}

function systemClassProblem(name: string, value: number, isDefault: boolean): string | undefined {
  const expected = getKey(SYSTEM_CLASSES, name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePolicy(policy: string | undefined): FieldError[] {
  if (policy === '') return [required('preemptionPolicy')];
  return policy === undefined || POLICIES.includes(policy)
    ? []
    : [notSupported('preemptionPolicy', policy, POLICIES)];
}

/** The table of PriorityClasses. */
export const priorityClassPrinter: Printer<Printable<PriorityClass>> = printer([
  nameColumn(),
  column('Value', 'Priority of the pods; higher values go first', ({ value }) => value ?? 0, {
    type: 'integer',
  }),
  column(
    'Global-Default',
    'Whether pods without a class get this one',
    ({ globalDefault }) => globalDefault ?? false,
    {
      type: 'boolean',
    },
  ),
  ageColumn(),
  column(
    'PreemptionPolicy',
    'Whether pods may preempt pods of lower priority',
    ({ preemptionPolicy }) => preemptionPolicy ?? '',
  ),
]);
