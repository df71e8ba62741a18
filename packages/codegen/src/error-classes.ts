/** One way in which something fails. */
export interface ErrorCode {
  readonly code: string;
  /** When it happens, or what to do about it. */
  readonly text: string;
}

/** A class of errors, as its source describes it. */
export interface ErrorClass {
  readonly name: string;
  readonly parent: string;
  /** The room that it lives in, which is also the subpath that exports it. */
  readonly room: string;
  readonly description: string;
  /** What the texts of the codes are: `hint` what to do, `meaning` when it happens. */
  readonly texts: 'hint' | 'meaning';
  /** Empty for a class that has those of its parent. */
  readonly codes: readonly ErrorCode[];
}

const CLASS = /^export class (\w+Error) extends (\w+Error) \{$/gm;

/**
 * The error classes in a module, found by the conventions of this repository. The codes of a class
 * stand in one of three places: in a constant that has a hint for each
 * (`type Code = keyof typeof ERRORS`), in a union of texts with a comment for each, or, if there is
 * only one, in the call of `super`.
 */
export function errorClassesIn(source: string, path: string): ErrorClass[] {
  return [...source.matchAll(CLASS)].map((match): ErrorClass => {
    const [, name = '', parent = ''] = match;
    const body = source.slice(match.index, source.indexOf('\n}\n', match.index));
    const description = commentBefore(source, match.index);
    const room = path.split('/')[0] ?? '';
    const codeType = /declare readonly code: (\w+);/.exec(body)?.[1];
    const own = codeType === undefined ? singleCode(body, description) : codesOf(source, codeType);
    return { name, parent, room, description, ...(own ?? { texts: 'meaning', codes: [] }) };
  });
}

type Codes = Pick<ErrorClass, 'codes' | 'texts'>;

function singleCode(body: string, description: string): Codes | undefined {
  const code = /super\(\s*'([A-Z][A-Z_]+)'/.exec(body)?.[1];
  if (code === undefined) return undefined;
  const text = /\bhint:\s*'([^']+)'/.exec(body)?.[1];
  return text === undefined
    ? { texts: 'meaning', codes: [{ code, text: description }] }
    : { texts: 'hint', codes: [{ code, text }] };
}

function codesOf(source: string, type: string): Codes | undefined {
  const start = source.indexOf(`export type ${type} =`);
  if (start === -1) return undefined;
  const declaration = source.slice(start, source.indexOf(';\n', start));
  const constant = /keyof typeof (\w+)/.exec(declaration)?.[1];
  return constant === undefined
    ? { texts: 'meaning', codes: unionCodes(declaration) }
    : { texts: 'hint', codes: constantCodes(source, constant) };
}

function unionCodes(declaration: string): ErrorCode[] {
  const members = declaration.matchAll(/\/\*\*([\s\S]*?)\*\/\s*\|\s*'(\w+)'/g);
  const codes = [...members].map(([, comment = '', code = '']) => ({
    code,
    text: plainComment(comment),
  }));
  const all = [...declaration.matchAll(/'(\w+)'/g)].map(([, code]) => code);
  if (codes.length !== all.length)
    throw new Error(`not every code is explained: ${all.join(', ')}`);
  return codes;
}

function constantCodes(source: string, name: string): ErrorCode[] {
  const start = source.indexOf(`export const ${name} = {`);
  const body = source.slice(start, source.indexOf('} as const;', start));
  const entries = body.matchAll(/^ {2}(\w+):\s*(['"`])([\s\S]*?)\2,$/gm);
  return [...entries].map(([, code = '', , text = '']) => ({ code, text }));
}

/** The JSDoc comment that ends right before a place, as one line of text. */
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
