import { svelte } from "@sveltejs/vite-plugin-svelte";

export default { plugins: [svelte()], server: { port: 5178, strictPort: true } };
