export default { server: { port: 5173, strictPort: true } };
