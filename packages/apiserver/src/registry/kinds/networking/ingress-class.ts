// Upstream: pkg/apis/networking/v1/defaults.go: SetDefaults_IngressClass
// Upstream: pkg/apis/networking/validation/validation.go: ValidateIngressClass
// Upstream: pkg/registry/networking/ingressclass/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printIngressClass
import type * as networking from 'client-ts/api/networking/v1';
import { annotationsOf } from 'client-ts/meta';
import {
  type FieldError,
  forbidden,
  invalidEach,
  notSupported,
  required,
  tooLong,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsLabel } from '../../../validation/names.ts';
import { immutable, metaValidator } from '../../../validation/object-meta.ts';
import { validateDomainPrefixedPath } from '../../../validation/signer-name.ts';
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
import { validateReference } from './ingress.ts';

type IngressClass = Loose<networking.IngressClass>;

const LONGEST_CONTROLLER = 250;
const SCOPES = ['Cluster', 'Namespace'];
const meta = metaValidator({ namespaced: false });

/** Rules of IngressClasses. */
export const ingressClassStrategy: Strategy<IngressClass> = {
  setDefaults: ({ spec }) => {
    if (spec?.parameters) spec.parameters.scope ??= 'Cluster';
  },
  validate: validateIngressClass,
  validateUpdate: (ingressClass, old) => [
    ...meta.update(ingressClass, old),
    ...immutable(
      ingressClass.spec?.controller ?? '',
      old.spec?.controller ?? '',
      'spec.controller',
    ),
    ...validateIngressClass(ingressClass),
  ],
  generation: 'spec',
};

function validateIngressClass(ingressClass: IngressClass): FieldError[] {
  const { controller = '', parameters } = ingressClass.spec ?? {};
  return [
    ...meta.create(ingressClass),
    ...(Buffer.byteLength(controller) > LONGEST_CONTROLLER
      ? [tooLong('spec.controller', LONGEST_CONTROLLER)]
      : []),
    ...validateDomainPrefixedPath(controller, 'spec.controller'),
    ...(parameters === undefined ? [] : validateParameters(parameters, 'spec.parameters')),
  ];
}

function validateParameters(
  parameters: Loose<networking.IngressClassParametersReference>,
  field: string,
): FieldError[] {
  const { scope, namespace } = parameters;
  const errors = validateReference(parameters, field);
  if (scope === undefined) return [...errors, required(`${field}.scope`)];
  if (!SCOPES.includes(scope)) return [...errors, notSupported(`${field}.scope`, scope, SCOPES)];
  if (scope === 'Cluster') {
    return namespace === undefined
      ? errors
      : [...errors, forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'")];
  }
  return namespace === undefined
    ? [...errors, required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")]
    : [
        ...errors,
        ...invalidEach(`${field}.namespace`, namespace, nameIsDnsLabel(namespace, false)),
      ];
}

const DEFAULT_INGRESS_CLASS = 'ingressclass.kubernetes.io/is-default-class';

/** The table of IngressClasses. */
export const ingressClassPrinter: Printer<Printable<IngressClass>> = printer([
  nameColumn((ingressClass) =>
    annotationsOf(ingressClass)[DEFAULT_INGRESS_CLASS] === 'true' ? ' (default)' : '',
  ),
  column('Controller', 'Controller of the class', ({ spec }) => spec?.controller ?? ''),
  column('Parameters', 'Reference to the parameters of the class', ({ spec }) => {
    if (spec?.parameters === undefined) return NONE;
    const { apiGroup, kind = '', name = '' } = spec.parameters;
    return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
  }),
  ageColumn(),
]);
