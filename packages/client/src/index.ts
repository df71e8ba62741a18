export * from './meta/index.ts';
