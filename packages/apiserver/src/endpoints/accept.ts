/** One part of an `Accept` header: a media range with its parameters. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads an `Accept` header: what the client likes best comes first. What makes no sense is skipped. */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const clause = parseClause(part);
    if (clause === undefined) continue;
    let place = clauses.length;
    while (place > 0 && comesBefore(clause, clauses[place - 1] as AcceptClause)) place -= 1;
    clauses.splice(place, 0, clause);
  }
  return clauses;
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
