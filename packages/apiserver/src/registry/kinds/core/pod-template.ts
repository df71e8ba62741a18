// Upstream: pkg/apis/core/validation/validation.go: ValidatePodTemplate
// Upstream: pkg/registry/core/podtemplate/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printPodTemplate
import { checkTemplateSecurity } from './pod/pod-security.ts';
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import { validatePodTemplate } from '../../../validation/pod/spec.ts';
import {
  column,
  containerColumns,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { formatLabels } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { setTemplateDefaults, templateWarnings } from '../workload.ts';

type PodTemplate = Loose<core.PodTemplate>;

const meta = metaValidator({ namespaced: true });

/** Rules of PodTemplates. */
export const podTemplateStrategy: Strategy<PodTemplate> = {
  check: ({ template }, _old, context) => checkTemplateSecurity(template, context),
  setDefaults: (object) => setTemplateDefaults((object.template ??= {})),
  validate: (object) => [
    ...meta.create(object),
    ...validatePodTemplate(object.template, 'template'),
  ],
  validateUpdate: (object, old) => [
    ...meta.update(object, old),
    ...validatePodTemplate(object.template, 'template'),
  ],
  warnings: (object, old) =>
    old === undefined || hasChanged(object, old)
      ? templateWarnings(object.template, 'template')
      : [],
  generation: hasChanged,
  deleteReturnsObject: true,
};

function hasChanged({ template }: PodTemplate, old: PodTemplate): boolean {
  return !jsonEqual(template, old.template);
}

/** The table of PodTemplates. */
export const podTemplatePrinter: Printer<Printable<PodTemplate>> = printer([
  nameColumn(),
  ...containerColumns<Printable<PodTemplate>>(({ template }) => template?.spec, { wide: false }),
  column('Pod Labels', 'Labels of the pods', ({ template }) =>
    formatLabels(template?.metadata?.labels),
  ),
]);
