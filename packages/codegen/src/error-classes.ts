import type { ErrorCatalogue } from 'client-ts/internal';

/** A class of errors: its source describes it, and the class itself has its codes. */
export interface ErrorClass {
  readonly name: string;
  readonly parent: string;
  /** The room that it lives in, which is also the subpath that exports it. */
  readonly room: string;
  readonly description: string;
  /** Empty for a class that has those of its parent. */
  readonly codes: ErrorCatalogue;
}

const CLASS = /^export class (\w+Error) extends (\w+Error) \{$/gm;

/** Returns the error classes of a module without their codes, which only the class itself knows. */
export function errorClassesIn(source: string, path: string): Omit<ErrorClass, 'codes'>[] {
  return [...source.matchAll(CLASS)].map((match) => {
    const [, name = '', parent = ''] = match;
    const description = commentBefore(source, match.index);
    return { name, parent, room: path.split('/')[0] ?? '', description };
  });
}

/** Returns the JSDoc comment that ends right before a place, as one line of text. */
function commentBefore(source: string, end: number): string {
  const before = source.slice(0, end).trimEnd();
  if (!before.endsWith('*/')) return '';
  return plainComment(before.slice(before.lastIndexOf('/**') + 3, -2));
}

function plainComment(comment: string): string {
  return comment
    .replaceAll(/^\s*\*( |$)/gm, '')
    .replaceAll(/\{@link (?:\w+\.)?(\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
