/**
 * One source of generated files. `outputs` is pure: the same model gives the same text, so that
 * `--check` can compare it with what is committed.
 */
export interface Generator {
  /** Named in progress and drift messages. */
  readonly name: string;
  /** Path from the root of the repository, with forward slashes → the whole text of the file. */
  outputs(): Map<string, string>;
  /**
   * Directories that hold nothing but generated files, also from the root. Files found there that
   * no generator names are left-overs: reported by `--check`, else removed.
   */
  readonly owns?: readonly string[];
}
