export { Clientset, type ClientsetOptions } from './kubernetes/clientset.ts';
export * from './meta/index.ts';
