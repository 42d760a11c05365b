// A style sheet imported as text: `?raw` is native to Vite; esbuild needs `loader: { ".css": "text" }`.
declare module "*.js?raw" {
  const source: string;
  export default source;
}

declare module "*.css?raw" {
  const css: string;
  export default css;
}
