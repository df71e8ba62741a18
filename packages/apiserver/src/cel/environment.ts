import { check, type Checked, type Environment } from './checker.ts';
import { functionsOf, type Functions, type Overload } from './declarations.ts';
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
import { type FindStruct, findMessage } from './structs.ts';
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

/** What an expression can use beside what all of them can. */
export interface Extension {
  readonly functions: Functions;
  readonly findStruct: FindStruct;
}

/** Adds functions, and types of literals, to those that all expressions have. */
export function extended(functions: Iterable<Overload>, findStruct: FindStruct): Extension {
  return {
    functions: new Map([...FUNCTIONS, ...functionsOf(functions)]),
    findStruct: (name) => findStruct(name) ?? findMessage(name),
  };
}

const STANDARD_EXTENSION: Extension = { functions: FUNCTIONS, findStruct: findMessage };

/** Parses and checks an expression. Returns the issues if it has any. */
export function compile(
  source: string,
  variables: ReadonlyMap<string, Type>,
  extension: Extension = STANDARD_EXTENSION,
): Checked | Issues {
  const issues = new Issues(source);
  const expression = parse(source, issues);
  if (expression === undefined || !issues.isEmpty) return issues;
  const environment: Environment = { ...extension, variables };
  const checked = check(expression, environment, issues);
  if (issues.isEmpty) checkLiterals(checked, issues);
  return issues.isEmpty ? checked : issues;
}
