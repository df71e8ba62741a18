import { check, type Checked, type Environment } from './checker.ts';
import { functionsOf, type Functions } from './declarations.ts';
import { Issues } from './issues.ts';
import { ADDRESSES } from './library/addresses.ts';
import { AUTHORIZATION } from './library/authorization.ts';
import { EXTENDED_LISTS, LISTS, SETS } from './library/lists.ts';
import { NAMED_FORMATS } from './library/named-formats.ts';
import { OPERATORS } from './library/operators.ts';
import { MAP_INSERTS, OPTIONALS } from './library/optionals.ts';
import { QUANTITIES } from './library/quantities.ts';
import { REGEX } from './library/regex.ts';
import { STANDARD } from './library/standard.ts';
import { STRINGS } from './library/strings.ts';
import { URLS } from './library/urls.ts';
import { VERSIONS } from './library/versions.ts';
import { checkLiterals } from './literals.ts';
import { parse } from './parser.ts';
import { type Type } from './types.ts';

/** All functions that expressions in Kubernetes have. */
export const FUNCTIONS: Functions = functionsOf([
  ...OPERATORS,
  ...STANDARD,
  ...OPTIONALS,
  ...STRINGS,
  ...LISTS,
  ...EXTENDED_LISTS,
  ...SETS,
  ...MAP_INSERTS,
  ...REGEX,
  ...URLS,
  ...ADDRESSES,
  ...QUANTITIES,
  ...NAMED_FORMATS,
  ...VERSIONS,
  ...AUTHORIZATION,
]);

/** Parses and checks an expression. Returns the issues if it has any. */
export function compile(
  source: string,
  variables: ReadonlyMap<string, Type>,
  functions: Functions = FUNCTIONS,
): Checked | Issues {
  const issues = new Issues(source);
  const expression = parse(source, issues);
  if (expression === undefined || !issues.isEmpty) return issues;
  const environment: Environment = { functions, variables };
  const checked = check(expression, environment, issues);
  if (issues.isEmpty) checkLiterals(checked, issues);
  return issues.isEmpty ? checked : issues;
}
