export default { server: { port: 5174, strictPort: true } };
