import 'package:flutter/material.dart';
import 'package:flutter_appauth/flutter_appauth.dart';

const appAuth = FlutterAppAuth();

Future<bool> signIn() async {
  final tokens = await appAuth.authorizeAndExchangeCode(
    AuthorizationTokenRequest(
      "demo-client",
      "com.example.demo:/callback",
      issuer: "http://localhost:8080",
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      allowInsecureConnections: true, // http: on this machine only
    ),
  );
  return tokens.accessToken != null;
}

void main() => runApp(const MaterialApp(home: Home()));

class Home extends StatefulWidget {
  const Home({super.key});

  @override
  State<Home> createState() => _HomeState();
}

class _HomeState extends State<Home> {
  bool isSignedIn = false;

  Future<void> enter() async {
    final isIn = await signIn();
    setState(() => isSignedIn = isIn);
  }

  @override
  Widget build(BuildContext context) {
    return Scaffold(
      body: Center(
        child: isSignedIn ? const Text('Signed in') : FilledButton(onPressed: enter, child: const Text('Sign in')),
      ),
    );
  }
}
