import { join } from 'node:path';

/**
 * Returns a function that says what an editor shows for a name of a file: the quick info of its
 * first occurrence, from the language service of the given compiler.
 */
export function quickInfo(ts, directory, fileName) {
  const file = join(directory, fileName);
  const { config } = ts.readConfigFile(join(directory, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, directory);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => directory,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  });
  const text = ts.sys.readFile(file);
  return (name) => {
    const position = text.search(new RegExp(String.raw`\b${name}\b`));
    return ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts);
  };
}
