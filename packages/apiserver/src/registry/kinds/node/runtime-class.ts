// Upstream: pkg/apis/node/validation/validation.go
// Upstream: pkg/registry/node/runtimeclass/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printRuntimeClass
import type * as core from 'client-ts/api/core/v1';
import type * as node from 'client-ts/api/node/v1';
import {
  duplicate,
  type FieldError,
  invalidEach,
  required,
} from '../../../validation/field-error.ts';
import { validateLabels } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsLabel } from '../../../validation/names.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import { validateTolerations } from '../../../validation/pod/scheduling.ts';
import { validateContainerResources } from '../../../validation/resources.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { deprecatedNodeLabels } from '../core/node.ts';
import { roundResources } from '../support.ts';

type RuntimeClass = Loose<node.RuntimeClass>;
type Toleration = Loose<core.Toleration>;

const meta = metaValidator({ namespaced: false });

/** Rules of RuntimeClasses. */
export const runtimeClassStrategy: Strategy<RuntimeClass> = {
  setDefaults: ({ overhead }) => roundResources(overhead?.podFixed),
  validate: validateRuntimeClass,
  validateUpdate: (object, old) => [
    ...validateRuntimeClass(object),
    ...meta.update(object, old),
    ...immutable(object.handler ?? '', old.handler ?? '', 'handler'),
  ],
  warnings: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabels.get(key);
      return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
    }),
  generation: 'none',
  createOnUpdate: true,
  unconditionalUpdate: false,
};

function validateRuntimeClass(object: RuntimeClass): FieldError[] {
  const { handler = '', overhead, scheduling = {} } = object;
  const { podFixed } = overhead ?? {};
  const { nodeSelector, tolerations = [] } = scheduling;
  return [
    ...meta.create(object),
    ...(handler === ''
      ? [required('handler')]
      : invalidEach('handler', handler, nameIsDnsLabel(handler, false))),
    ...(podFixed === undefined
      ? []
      : validateContainerResources({ limits: podFixed }, [], 'overhead')),
    ...validateLabels(nodeSelector, 'scheduling.nodeSelector'),
    ...validateTolerations(tolerations, 'scheduling.tolerations'),
    ...tolerations.flatMap((toleration, index) =>
      tolerations.slice(0, index).some((other) => keyOf(other) === keyOf(toleration))
        ? [duplicate(`scheduling.tolerations[${index}]`, printable(toleration))]
        : [],
    ),
  ];
}

function keyOf({ key = '', operator = '', value = '', effect = '' }: Toleration): string {
  return JSON.stringify([key, operator, value, effect]);
}

function printable(toleration: Toleration): unknown {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds = null } = toleration;
  return {
    Key: key,
    Operator: operator,
    Value: value,
    Effect: effect,
    TolerationSeconds: tolerationSeconds,
  };
}

/** The table of RuntimeClasses. */
export const runtimeClassPrinter: Printer<Printable<RuntimeClass>> = printer([
  nameColumn(),
  column('Handler', 'Handler of the container runtime', ({ handler }) => handler ?? ''),
  ageColumn(),
]);
