(println #=(java.lang.Runtime/getRuntime))
