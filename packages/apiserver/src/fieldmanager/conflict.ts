import { quoteGo } from 'client-ts/internal';
import { type ApiError, newApplyConflict } from 'client-ts/meta';
import { type Manager, managerKey } from './managers.ts';
import { compareText, formatPath } from './path-element.ts';
import type { Conflict } from './updater.ts';

/** The 409 for an apply that would change what others own; every such field is one cause. */
export function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const byManager = groupByManager(conflicts);
  const causes = Array.from(byManager).flatMap(([manager, fields]) =>
    fields.map(({ path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${manager}`,
      field: formatPath(path),
    })),
  );
  const [only] = causes;
  if (causes.length === 1 && only !== undefined) {
    const message = `Apply failed with 1 conflict: ${only.message}: ${only.field}`;
    return newApplyConflict(causes, message);
  }
  const lines = Array.from(byManager).flatMap(([manager, fields]) => [
    `conflicts with ${manager}:`,
    ...fields.map(({ path }) => `- ${formatPath(path)}`),
  ]);
  const message = `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return newApplyConflict(causes, message);
}

function groupByManager(conflicts: readonly Conflict[]): Map<string, Conflict[]> {
  const groups = new Map<string, Conflict[]>();
  const inOrder = conflicts.toSorted((left, right) =>
    compareText(managerKey(left.manager), managerKey(right.manager)),
  );
  for (const conflict of inOrder) {
    const manager = describe(conflict.manager);
    const group = groups.get(manager);
    if (group === undefined) groups.set(manager, [conflict]);
    else group.push(conflict);
  }
  return groups;
}

/** `"hpa" with subresource "scale" using apps/v1`; appliers have one entry for all versions. */
function describe({ manager, operation, apiVersion, subresource }: Manager): string {
  const parts = [quoteGo(manager)];
  if (subresource !== '') parts.push(`with subresource ${quoteGo(subresource)}`);
  if (operation === 'Update') parts.push(`using ${apiVersion}`);
  return parts.join(' ');
}
