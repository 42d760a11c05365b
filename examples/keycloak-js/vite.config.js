export default { server: { port: 5175, strictPort: true } };
