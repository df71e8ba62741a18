import { kebabCase, type Project } from './project.ts';

/** Returns the files of a project that are neither code nor manifests, by path. */
export function projectFiles(project: Project): Map<string, string> {
  return new Map([
    ['package.json', packageJson(project)],
    ['tsconfig.json', tsconfig],
    ['.gitignore', 'dist/\nnode_modules/\n'],
    ['.dockerignore', '*\n!package*.json\n!tsconfig.json\n!src\n'],
    ['Dockerfile', dockerfile],
    ['README.md', readme(project)],
  ]);
}

function packageJson({ name, isDeclared, dependencies }: Project): string {
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=22' },
    scripts: {
      build: 'tsc',
      start: 'node dist/src/main.js',
      test: 'tsc && node --test "dist/test/*.test.js"',
      ...(isDeclared && { manifests: 'tsc && node dist/src/write-crd.js' }),
    },
    dependencies: { 'client-ts': dependencies.client },
    devDependencies: {
      '@client-ts/apiserver': dependencies.apiserver,
      '@types/node': '^22.0.0',
      typescript: '>=5.7',
    },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

const tsconfig = `{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2023", "ESNext.Disposable"],
    "module": "NodeNext",
    "moduleResolution": "NodeNext",
    "types": ["node"],
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noUncheckedIndexedAccess": true,
    "noImplicitOverride": true,
    "noImplicitReturns": true,
    "verbatimModuleSyntax": true,
    "rewriteRelativeImportExtensions": true,
    "sourceMap": true,
    "rootDir": ".",
    "outDir": "dist"
  },
  "include": ["src", "test"]
}
`;

const dockerfile = `FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM node:22-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
# Not npm, which would not forward SIGTERM to the program.
ENTRYPOINT ["node", "--enable-source-maps", "dist/src/main.js"]
`;

function readme({ name, kind, group, version, module, isDeclared }: Project): string {
  const file = kebabCase(kind);
  const source = isDeclared
    ? `\`src/${module}\` declares the resource once; its type, its validation and \`deploy/crd.yaml\` follow from it.
After a change run \`npm run manifests\`.`
    : `\`src/${module}\` is generated from \`deploy/crd.yaml\`. After a change run
\`client-ts generate --crd deploy/crd.yaml --out src/api\`.`;
  return `# ${name}

A Kubernetes controller for ${kind} (\`${group}/${version}\`), written with client-ts.

\`\`\`sh
npm install
npm test         # on an API server inside of the test process; no cluster needed
\`\`\`

| File | What is in it |
| --- | --- |
| \`src/${module}\` | the custom resource: type and descriptor |
| \`src/${file}-controller.ts\` | what the controller does |
| \`src/main.ts\` | the program: a manager with leader election, health and metrics |
| \`test/\` | the controller on an API server with the permissions of \`deploy/rbac.yaml\` |
| \`deploy/\` | CRD, RBAC, Deployment and an example object |

${source}

## Against a cluster

\`\`\`sh
kubectl apply -f deploy/rbac.yaml -f deploy/crd.yaml
npm run build && npm start      # with your kubeconfig, in your terminal
kubectl apply -f deploy/example.yaml
\`\`\`

## In a cluster

\`\`\`sh
docker build -t ${name}:latest .
kubectl apply -f deploy/rbac.yaml -f deploy/crd.yaml -f deploy/deployment.yaml
\`\`\`

What the controller reads and writes must be in \`deploy/rbac.yaml\`; the tests run with those permissions and fail otherwise.
`;
}
