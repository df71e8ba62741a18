// Upstream: pkg/apis/apps/validation/validation.go:
//   ValidateControllerRevisionCreate, ValidateControllerRevisionUpdate
// Upstream: pkg/registry/apps/controllerrevision/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printControllerRevision
import type * as apps from 'client-ts/api/apps/v1';
import { isJsonObject } from 'client-ts/internal';
import { getControllerOf, groupKindName, parseApiVersion } from 'client-ts/meta';
import { type FieldError, required } from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { immutable, metaValidator, nonNegative } from '../../../validation/object-meta.ts';
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

type ControllerRevision = Loose<apps.ControllerRevision>;

const meta = metaValidator({ namespaced: true });

/** Rules of ControllerRevisions, which are immutable. */
export const controllerRevisionStrategy: Strategy<ControllerRevision> = {
  validate: (object) => [...validateRevision(object), ...validateData(object.data)],
  validateUpdate: (object, old) => [
    ...meta.update(object, old),
    ...validateRevision(object),
    ...immutable(object.data, old.data, 'data'),
  ],
  generation: 'none',
};

function validateRevision(object: ControllerRevision): FieldError[] {
  return [...meta.create(object), ...nonNegative(object.revision, 'revision')];
}

function validateData(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')];
  return isJsonObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

/** The table of ControllerRevisions. */
export const controllerRevisionPrinter: Printer<Printable<ControllerRevision>> = printer([
  nameColumn(),
  column('Controller', 'Controller of the revision', formatController),
  column('Revision', 'Number of the revision', ({ revision }) => revision ?? 0),
  ageColumn(),
]);

function formatController(revision: Printable<ControllerRevision>): string {
  const owner = getControllerOf(revision);
  if (owner === undefined) return NONE;
  const { group } = parseApiVersion(owner.apiVersion);
  return `${groupKindName({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}
