import vue from "@vitejs/plugin-vue";

export default { plugins: [vue()], server: { port: 5177, strictPort: true } };
