export default { server: { port: 5176, strictPort: true } };
