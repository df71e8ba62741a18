/** One part of an `Accept` header: a media range with its parameters. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Go sorts up to this many by insertion, in an order that its rules do not define otherwise. */
const SORTED_BY_INSERTION = 12;

/** Reads an `Accept` header: what the client prefers comes first. What makes no sense is skipped. */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses = header.split(',').flatMap((part) => parseClause(part) ?? []);
  if (clauses.length > SORTED_BY_INSERTION) {
    // A megabyte of clauses must not take quadratic time.
    return clauses.toSorted((left, right) =>
      comesBefore(left, right) ? -1 : comesBefore(right, left) ? 1 : 0,
    );
  }
  const sorted: AcceptClause[] = [];
  for (const clause of clauses) {
    let place = sorted.length;
    while (place > 0 && comesBefore(clause, sorted[place - 1] as AcceptClause)) place -= 1;
    sorted.splice(place, 0, clause);
  }
  return sorted;
}

/** The media ranges of an `Accept` header as they were written, without parameters. */
export function mediaRanges(header: string): readonly string[] {
  return header.split(',').map((part) => (part.split(';', 1)[0] ?? '').trim());
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = text.split(';');
  const [type = '', subtype, ...more] = range.split('/').map((word) => word.trim());
  if (more.length > 0 || (subtype === undefined && type !== '*')) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim();
    const value = parameter.slice(equals + 1).trim();
    if (name === 'q') quality = Number(value) || 0;
    else parameters.set(name, value);
  }
  return { type, subtype: subtype ?? '*', quality, parameters };
}

/**
 * By quality, and what is named before what is only allowed. Taken literally, the second rule makes
 * `application/json;q=0.1` come before a wildcard that was asked for after it.
 */
function comesBefore(left: AcceptClause, right: AcceptClause): boolean {
  if (left.quality > right.quality) return true;
  if (left.type !== '*' && right.type === '*') return true;
  return left.subtype !== '*' && right.subtype === '*';
}
