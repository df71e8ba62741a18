import { pointerPattern } from '../json/pointer.ts';

/*
 * The columns of a Table carry descriptions. The recorded ones are Kubernetes' own documentation,
 * which other servers do not copy: they describe the same columns in words of their own. So of a
 * column's description only that it is a text is compared; its name, type, format and priority are
 * compared like everything else.
 */

const isColumnDescription = pointerPattern('/**/columnDefinitions/*/description');

/** True where a text of the recording may be put into other words. */
export function isReworded(steps: readonly string[], recorded: unknown): boolean {
  return typeof recorded === 'string' && isColumnDescription(steps);
}

/** A description comes first in its column, folded over lines that are indented further. */
const YAML_DESCRIPTION = /^- description: .*\n(?: {4}.*\n|\n)*(?= {2}format: )/gm;

/** The text of a Table in YAML without the words of its descriptions; all other text as it is. */
export function withoutDescriptions(text: string): string {
  if (!text.startsWith('apiVersion: meta.k8s.io/') || !/^kind: Table$/m.test(text)) return text;
  return text.replaceAll(YAML_DESCRIPTION, '- description: <text>\n');
}
