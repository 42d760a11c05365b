// Inside android { defaultConfig { … } }
manifestPlaceholders["appAuthRedirectScheme"] = "com.example.demo"
