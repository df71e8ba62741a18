import { ClientError, defineErrors } from '../lib/errors.ts';

/** What is wrong with one field of an object or of a declaration. */
export interface SchemaProblem {
  /** Path of the field: `spec.ports[0].name`; empty for the whole value. */
  readonly field: string;
  /** Without the path: `must be at least 1, is 0`. */
  readonly message: string;
}

function describe(problems: readonly SchemaProblem[]): string {
  return problems
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .join('; ');
}

/** A declaration of a custom resource that no server would accept. */
export class ResourceDefinitionError extends ClientError {
  /** Everything that is wrong, in the order of the declaration. */
  readonly problems: readonly SchemaProblem[];

  constructor(name: string, problems: readonly SchemaProblem[]) {
    super('CRD_DEFINITION_INVALID', `definition of "${name}" is invalid: ${describe(problems)}`);
    this.problems = problems;
  }

  static {
    defineErrors(this, 'ResourceDefinitionError', 'CRD', {
      CRD_DEFINITION_INVALID: {
        retry: 'never',
        when: 'A custom resource is declared with a name or schema that no server accepts',
      },
    });
  }
}

/** An object that does not fit the schema of its custom resource. */
export class InvalidResourceError extends ClientError {
  /** Everything that is wrong, in the order of the schema. */
  readonly problems: readonly SchemaProblem[];

  constructor(kind: string, name: string, problems: readonly SchemaProblem[]) {
    super('CRD_OBJECT_INVALID', `${kind} "${name}" is invalid: ${describe(problems)}`);
    this.problems = problems;
  }

  static {
    defineErrors(this, 'InvalidResourceError', 'CRD', {
      CRD_OBJECT_INVALID: {
        retry: 'never',
        when: 'An object does not fit the schema of its custom resource',
      },
    });
  }
}
