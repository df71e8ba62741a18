import {
  type CostRule,
  exactly,
  fixed,
  ONE,
  plus,
  type Range,
  rule,
  scaled,
  TRAVERSAL,
  countedSize,
} from '../costs.ts';
import { type Overload, overload, parseType } from '../declarations.ts';
import type { Type } from '../types.ts';
import { Opaque, type Value } from '../values.ts';

/** A question whether an action is allowed. */
export interface AccessQuestion {
  /** `namespace` and `name` of a service account; undefined for the user of the request. */
  readonly serviceAccount: readonly [namespace: string, name: string] | undefined;
  readonly verb: string;
  /** Undefined for questions about resources. */
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The answer. */
export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

export type AskAccess = (question: AccessQuestion) => AccessAnswer;

const PREFIX = 'kubernetes.authorization.';

/** A step on the way to a question: an authorizer, or what is known of the question so far. */
class Question extends Opaque {
  readonly type: Type;
  readonly ask: AskAccess;
  readonly question: AccessQuestion;

  constructor(type: Type, ask: AskAccess, question: AccessQuestion) {
    super();
    this.type = type;
    this.ask = ask;
    this.question = question;
  }

  as(type: Type, known: Partial<AccessQuestion>): Question {
    return new Question(type, this.ask, { ...this.question, ...known });
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

class Answer extends Opaque {
  readonly type: Type = DECISION;
  readonly answer: AccessAnswer;

  constructor(answer: AccessAnswer) {
    super();
    this.answer = answer;
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

export const AUTHORIZER: Type = parseType(`${PREFIX}Authorizer`);
export const RESOURCE_CHECK: Type = parseType(`${PREFIX}ResourceCheck`);
const PATH_CHECK = parseType(`${PREFIX}PathCheck`);
const GROUP_CHECK = parseType(`${PREFIX}GroupCheck`);
const DECISION = parseType(`${PREFIX}Decision`);

const NOTHING: AccessQuestion = {
  serviceAccount: undefined,
  verb: '',
  path: undefined,
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

/** The variable `authorizer`. */
export function authorizerValue(ask: AskAccess): Value {
  return new Question(AUTHORIZER, ask, NOTHING);
}

/** The variable `authorizer.requestResource`: the resource of the request. */
export function resourceCheckValue(ask: AskAccess, resource: Partial<AccessQuestion>): Value {
  return new Question(RESOURCE_CHECK, ask, { ...NOTHING, ...resource });
}

/** Two checks are all that an expression may make. */
const CHECK = fixed(350_000);

function selectorCost(length: Range): Range {
  const requirements = scaled(scaled(length, 1 / 3), 10);
  return plus(plus(exactly(10), scaled(length, TRAVERSAL)), requirements);
}

const SELECTOR: CostRule = rule(
  ([, text]) => Number(selectorCost(exactly(countedSize(text))).max),
  ({ size }) => ({ cost: selectorCost(size(1)) }),
);

const [A, P, G, R, D] = ['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
  (name) => PREFIX + name,
);

const narrow =
  (type: Type, field: keyof AccessQuestion) =>
  (check: Question, text: string): Value =>
    check.as(type, { [field]: text });

const check = (question: Question, verb: string): Value =>
  new Answer(question.ask({ ...question.question, verb }));

/** Questions about permissions, which only expressions of admission can ask. */
export const AUTHORIZATION: readonly Overload[] = [
  overload(`<${A}>.path(string) -> ${P}`, narrow(PATH_CHECK, 'path'), ONE),
  overload(`<${A}>.group(string) -> ${G}`, narrow(GROUP_CHECK, 'group'), ONE),
  overload(
    `<${A}>.serviceAccount(string, string) -> ${A}`,
    (authorizer: Question, namespace: string, name: string) =>
      authorizer.as(AUTHORIZER, { serviceAccount: [namespace, name] }),
    ONE,
  ),
  overload(`<${G}>.resource(string) -> ${R}`, narrow(RESOURCE_CHECK, 'resource'), ONE),
  overload(`<${R}>.subresource(string) -> ${R}`, narrow(RESOURCE_CHECK, 'subresource'), ONE),
  overload(`<${R}>.namespace(string) -> ${R}`, narrow(RESOURCE_CHECK, 'namespace'), ONE),
  overload(`<${R}>.name(string) -> ${R}`, narrow(RESOURCE_CHECK, 'name'), ONE),
  // RBAC, the only policy here, does not look at selectors.
  overload(`<${R}>.fieldSelector(string) -> ${R}`, (question: Question) => question, SELECTOR),
  overload(`<${R}>.labelSelector(string) -> ${R}`, (question: Question) => question, SELECTOR),
  overload(`<${P}>.check(string) -> ${D}`, check, CHECK),
  overload(`<${R}>.check(string) -> ${D}`, check, CHECK),
  overload(`<${D}>.allowed() -> bool`, ({ answer }: Answer) => answer.allowed, ONE),
  overload(`<${D}>.reason() -> string`, ({ answer }: Answer) => answer.reason, ONE),
  overload(`<${D}>.errored() -> bool`, () => false, ONE),
  overload(`<${D}>.error() -> string`, () => '', ONE),
];
