/** A certificate and its key, for tests of TLS. */

/** A self-signed certificate of localhost, valid until 2126. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQX2wm/H7lqVL/nQqo1rig2NLlTUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAxMDAxOVoYDzIxMjYxMDI4
MDEwMDE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR//SbB0tS7wyHtDWX/iGemP6CxfsfZpAg/dFAnx4P2hPAKuyFSMMYY
TPsMfe5TBAnVnuVhjdlP4qqJEre4DaDto28wbTAdBgNVHQ4EFgQUZr4q6ugmZupv
C4SZZGU2YpCyg7UwHwYDVR0jBBgwFoAUZr4q6ugmZupvC4SZZGU2YpCyg7UwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgMpzBM7OZrRnhDIFy4xl43IFkZvvhOc5hlTU4YfNMnhQCIQC6
+zc2TXkrq8x5se/Qo83tPREbVUdNN1ZgGXts9HrXlg==
-----END CERTIFICATE-----
`;
export const KEY = {
  kty: "EC",
  crv: "P-256",
  d: "VfySIR0_-A_GfrE7WwWLnsKpt6n2vcY4B81UPRIkow0",
  x: "f_0mwdLUu8Mh7Q1l_4hnpj-gsX7H2aQIP3RQJ8eD9oQ",
  y: "8Aq7IVIwxhhM-wx97lMECdWe5WGN2U_iqokSt7gNoO0",
};
