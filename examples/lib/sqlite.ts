/** The part of `node:sqlite` that the examples use: Node 22.13 has it, @types/node 20 does not. */
export interface Database extends Disposable {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: readonly (number | string)[]): unknown;
    all(...values: readonly (number | string)[]): readonly Record<string, number | string>[];
  };
}

/** Opens a file or `:memory:`. */
export function openDatabase(path: string): Database {
  const sqlite = process.getBuiltinModule('node:sqlite' as string) as
    | {
        readonly DatabaseSync: new (
          path: string,
        ) => Omit<Database, keyof Disposable> & { close(): void };
      }
    | undefined;
  if (sqlite === undefined) throw new Error('this example needs Node 22.13 or newer');
  const database = new sqlite.DatabaseSync(path);
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
